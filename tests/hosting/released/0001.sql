BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE commands (
	game_id INTEGER NOT NULL, 
	n INTEGER NOT NULL, 
	at VARCHAR(32) NOT NULL, 
	version INTEGER NOT NULL, 
	count INTEGER NOT NULL, 
	codec INTEGER NOT NULL, 
	body TEXT NOT NULL, 
	mail_id INTEGER, 
	CONSTRAINT pk_commands PRIMARY KEY (game_id, n), 
	CONSTRAINT fk_commands_game_id_games FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT fk_commands_mail_id_mails FOREIGN KEY(mail_id) REFERENCES mails (id)
);
INSERT INTO "commands" VALUES(1,1,'2026-12-07T08:00:00.000000+00:00',0,1,1,'{"at":"2026-12-07T08:00:00+00:00","code":"PL1","dice":[],"options":{"composition":"hidden","executions":[[1,1320],[3,1320],[6,1320]],"graveyard_intrusion":"warn","inactivity":"off","language":"fr","min_debate":86400,"outage_extension":0,"peek":[[2,2,30,30]],"reminders":[24,3],"sunset":1800,"tags":"plus","tie_break":1800,"timezone":"Europe/Paris","vision":1800},"read":null,"seed":"abababababababababababababababababababababababababababababababab","type":"OpenGame"}',NULL);
INSERT INTO "commands" VALUES(1,2,'2026-12-07T08:00:00.000000+00:00',1,1,1,'{"at":"2026-12-07T08:00:00+00:00","read":null,"type":"OpenRegistration"}',NULL);
INSERT INTO "commands" VALUES(1,3,'2026-12-07T08:00:00.000000+00:00',2,1,1,'{"at":"2026-12-07T08:00:00+00:00","bad_name":false,"gender":"m","known":false,"name":"Alice","read":null,"type":"Join"}',NULL);
INSERT INTO "commands" VALUES(1,4,'2026-12-07T08:00:00.000000+00:00',3,1,1,'{"at":"2026-12-07T08:00:00+00:00","bad_name":false,"gender":"m","known":false,"name":"Bruno","read":null,"type":"Join"}',NULL);
INSERT INTO "commands" VALUES(1,5,'2026-12-07T08:00:00.000000+00:00',4,1,1,'{"at":"2026-12-07T08:00:00+00:00","bad_name":false,"gender":"m","known":false,"name":"Chlo\u00e9","read":null,"type":"Join"}',NULL);
INSERT INTO "commands" VALUES(1,6,'2026-12-07T08:00:00.000000+00:00',5,1,1,'{"at":"2026-12-07T08:00:00+00:00","bad_name":false,"gender":"m","known":false,"name":"David","read":null,"type":"Join"}',NULL);
INSERT INTO "commands" VALUES(1,7,'2026-12-07T08:00:00.000000+00:00',6,1,1,'{"at":"2026-12-07T08:00:00+00:00","bad_name":false,"gender":"m","known":false,"name":"\u00c9mile","read":null,"type":"Join"}',NULL);
INSERT INTO "commands" VALUES(1,8,'2026-12-07T08:00:00.000000+00:00',7,1,1,'{"at":"2026-12-07T08:00:00+00:00","bad_name":false,"gender":"m","known":false,"name":"Flora","read":null,"type":"Join"}',NULL);
INSERT INTO "commands" VALUES(1,9,'2026-12-07T08:00:00.000000+00:00',8,1,1,'{"at":"2026-12-07T08:00:00+00:00","bad_name":false,"gender":"m","known":false,"name":"Gaspard","read":null,"type":"Join"}',NULL);
INSERT INTO "commands" VALUES(1,10,'2026-12-07T08:00:00.000000+00:00',9,1,1,'{"at":"2026-12-07T08:00:00+00:00","bad_name":false,"gender":"m","known":false,"name":"Hana","read":null,"type":"Join"}',NULL);
INSERT INTO "commands" VALUES(1,11,'2026-12-07T08:00:00.000000+00:00',10,1,1,'{"at":"2026-12-07T08:00:00+00:00","counts":[["werewolf",2],["seer",1],["militia",1],["ghost",1],["matchmaker",1],["villager",1],["little-child",1]],"read":null,"type":"SetComposition"}',NULL);
INSERT INTO "commands" VALUES(1,12,'2026-12-07T08:00:00.000000+00:00',11,22,1,'{"at":"2026-12-07T08:00:00+00:00","heir":0,"immune":[],"lovers":null,"mayor":null,"read":null,"table":[],"type":"Start"}',NULL);
INSERT INTO "commands" VALUES(1,13,'2026-12-07T08:00:00.000000+00:00',33,1,1,'{"at":"2026-12-07T08:00:00+00:00","by_storyteller":false,"name":"","read":null,"seat":1,"type":"Order","verb":"VOTE","words":{"elects":0,"fault":"","seats":[5],"suggestions":[],"text":"","unread":"","word":""}}',NULL);
INSERT INTO "commands" VALUES(1,14,'2026-12-07T08:00:00.000000+00:00',34,1,1,'{"at":"2026-12-07T08:00:00+00:00","by_storyteller":false,"name":"","read":null,"seat":2,"type":"Order","verb":"VOTE","words":{"elects":0,"fault":"","seats":[5],"suggestions":[],"text":"","unread":"","word":""}}',NULL);
INSERT INTO "commands" VALUES(1,15,'2026-12-07T08:00:00.000000+00:00',35,1,1,'{"at":"2026-12-07T08:00:00+00:00","by_storyteller":false,"name":"","read":null,"seat":3,"type":"Order","verb":"VOTE","words":{"elects":0,"fault":"","seats":[5],"suggestions":[],"text":"","unread":"","word":""}}',NULL);
INSERT INTO "commands" VALUES(1,16,'2026-12-07T08:00:00.000000+00:00',36,1,1,'{"at":"2026-12-07T08:00:00+00:00","by_storyteller":false,"name":"","read":null,"seat":4,"type":"Order","verb":"VOTE","words":{"elects":0,"fault":"","seats":[5],"suggestions":[],"text":"","unread":"","word":""}}',NULL);
INSERT INTO "commands" VALUES(1,17,'2026-12-07T08:00:00.000000+00:00',37,1,1,'{"at":"2026-12-07T08:00:00+00:00","by_storyteller":false,"name":"","read":null,"seat":6,"type":"Order","verb":"VOTE","words":{"elects":0,"fault":"","seats":[5],"suggestions":[],"text":"","unread":"","word":""}}',NULL);
INSERT INTO "commands" VALUES(1,18,'2026-12-07T08:00:00.000000+00:00',38,1,1,'{"at":"2026-12-07T08:00:00+00:00","by_storyteller":false,"name":"","read":null,"seat":7,"type":"Order","verb":"VOTE","words":{"elects":0,"fault":"","seats":[5],"suggestions":[],"text":"","unread":"","word":""}}',NULL);
INSERT INTO "commands" VALUES(1,19,'2026-12-07T08:00:00.000000+00:00',39,1,1,'{"at":"2026-12-07T08:00:00+00:00","by_storyteller":false,"name":"","read":null,"seat":8,"type":"Order","verb":"VOTE","words":{"elects":0,"fault":"","seats":[5],"suggestions":[],"text":"","unread":"","word":""}}',NULL);
INSERT INTO "commands" VALUES(1,20,'2026-12-09T21:00:02.000000+00:00',40,3,1,'{"at":"2026-12-09T21:00:02+00:00","read":null,"type":"Tick"}',NULL);
INSERT INTO "commands" VALUES(1,21,'2026-12-09T21:00:02.000000+00:00',43,1,1,'{"at":"2026-12-09T21:00:02+00:00","read":null,"type":"Tick"}',NULL);
INSERT INTO "commands" VALUES(1,22,'2026-12-09T21:00:02.000000+00:00',44,0,1,'{"at":"2026-12-09T21:00:02+00:00","read":null,"type":"Tick"}',NULL);
INSERT INTO "commands" VALUES(1,23,'2026-12-10T21:00:02.000000+00:00',44,7,1,'{"at":"2026-12-10T21:00:02+00:00","read":null,"type":"Tick"}',NULL);
INSERT INTO "commands" VALUES(1,24,'2026-12-10T21:00:02.000000+00:00',51,0,1,'{"at":"2026-12-10T21:00:02+00:00","read":null,"type":"Tick"}',NULL);
INSERT INTO "commands" VALUES(1,25,'2026-12-10T21:30:02.000000+00:00',51,3,1,'{"at":"2026-12-10T21:30:02+00:00","read":null,"type":"Tick"}',NULL);
INSERT INTO "commands" VALUES(1,26,'2026-12-10T21:30:02.000000+00:00',54,0,1,'{"at":"2026-12-10T21:30:02+00:00","read":null,"type":"Tick"}',NULL);
INSERT INTO "commands" VALUES(1,27,'2026-12-10T22:00:02.000000+00:00',54,1,1,'{"at":"2026-12-10T22:00:02+00:00","read":null,"type":"Tick"}',NULL);
INSERT INTO "commands" VALUES(1,28,'2026-12-10T22:00:02.000000+00:00',55,4,1,'{"at":"2026-12-10T22:00:02+00:00","read":null,"type":"Tick"}',NULL);
INSERT INTO "commands" VALUES(1,29,'2026-12-10T22:00:02.000000+00:00',59,0,1,'{"at":"2026-12-10T22:00:02+00:00","read":null,"type":"Tick"}',NULL);
INSERT INTO "commands" VALUES(1,30,'2026-12-10T22:00:02.000000+00:00',59,1,1,'{"at":"2026-12-10T22:00:02+00:00","by_storyteller":false,"name":"","read":null,"seat":2,"type":"Order","verb":"VOTE","words":{"elects":0,"fault":"","seats":[1],"suggestions":[],"text":"","unread":"","word":""}}',NULL);
INSERT INTO "commands" VALUES(1,31,'2026-12-10T22:00:02.000000+00:00',60,1,1,'{"at":"2026-12-10T22:00:02+00:00","by_storyteller":false,"name":"","read":null,"seat":3,"type":"Order","verb":"VOTE","words":{"elects":0,"fault":"","seats":[1],"suggestions":[],"text":"","unread":"","word":""}}',NULL);
INSERT INTO "commands" VALUES(1,32,'2026-12-10T22:00:02.000000+00:00',61,1,1,'{"at":"2026-12-10T22:00:02+00:00","by_storyteller":false,"name":"","read":null,"seat":4,"type":"Order","verb":"VOTE","words":{"elects":0,"fault":"","seats":[1],"suggestions":[],"text":"","unread":"","word":""}}',NULL);
INSERT INTO "commands" VALUES(1,33,'2026-12-10T22:00:02.000000+00:00',62,1,1,'{"at":"2026-12-10T22:00:02+00:00","by_storyteller":false,"name":"","read":null,"seat":6,"type":"Order","verb":"VOTE","words":{"elects":0,"fault":"","seats":[1],"suggestions":[],"text":"","unread":"","word":""}}',NULL);
INSERT INTO "commands" VALUES(1,34,'2026-12-10T22:00:02.000000+00:00',63,1,1,'{"at":"2026-12-10T22:00:02+00:00","by_storyteller":false,"name":"","read":null,"seat":7,"type":"Order","verb":"VOTE","words":{"elects":0,"fault":"","seats":[1],"suggestions":[],"text":"","unread":"","word":""}}',NULL);
INSERT INTO "commands" VALUES(1,35,'2026-12-10T22:00:02.000000+00:00',64,1,1,'{"at":"2026-12-10T22:00:02+00:00","by_storyteller":false,"name":"","read":null,"seat":8,"type":"Order","verb":"VOTE","words":{"elects":0,"fault":"","seats":[1],"suggestions":[],"text":"","unread":"","word":""}}',NULL);
CREATE TABLE events (
	game_id INTEGER NOT NULL, 
	n INTEGER NOT NULL, 
	at VARCHAR(32) NOT NULL, 
	codec INTEGER NOT NULL, 
	body TEXT NOT NULL, 
	cause INTEGER, 
	CONSTRAINT pk_events PRIMARY KEY (game_id, n), 
	CONSTRAINT fk_events_game_id_games FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT fk_events_cause_mails FOREIGN KEY(cause) REFERENCES mails (id)
);
INSERT INTO "events" VALUES(1,1,'2026-12-07T08:00:00.000000+00:00',1,'{"at":"2026-12-07T08:00:00+00:00","code":"PL1","dice":[],"options":{"composition":"hidden","executions":[[1,1320],[3,1320],[6,1320]],"graveyard_intrusion":"warn","inactivity":"off","language":"fr","min_debate":86400,"outage_extension":0,"peek":[[2,2,30,30]],"reminders":[24,3],"sunset":1800,"tags":"plus","tie_break":1800,"timezone":"Europe/Paris","vision":1800},"seed":"abababababababababababababababababababababababababababababababab","type":"GameOpened"}',NULL);
INSERT INTO "events" VALUES(1,2,'2026-12-07T08:00:00.000000+00:00',1,'{"type":"RegistrationOpened"}',NULL);
INSERT INTO "events" VALUES(1,3,'2026-12-07T08:00:00.000000+00:00',1,'{"gender":"m","name":"Alice","seat":1,"type":"Joined"}',NULL);
INSERT INTO "events" VALUES(1,4,'2026-12-07T08:00:00.000000+00:00',1,'{"gender":"m","name":"Bruno","seat":2,"type":"Joined"}',NULL);
INSERT INTO "events" VALUES(1,5,'2026-12-07T08:00:00.000000+00:00',1,'{"gender":"m","name":"Chlo\u00e9","seat":3,"type":"Joined"}',NULL);
INSERT INTO "events" VALUES(1,6,'2026-12-07T08:00:00.000000+00:00',1,'{"gender":"m","name":"David","seat":4,"type":"Joined"}',NULL);
INSERT INTO "events" VALUES(1,7,'2026-12-07T08:00:00.000000+00:00',1,'{"gender":"m","name":"\u00c9mile","seat":5,"type":"Joined"}',NULL);
INSERT INTO "events" VALUES(1,8,'2026-12-07T08:00:00.000000+00:00',1,'{"gender":"m","name":"Flora","seat":6,"type":"Joined"}',NULL);
INSERT INTO "events" VALUES(1,9,'2026-12-07T08:00:00.000000+00:00',1,'{"gender":"m","name":"Gaspard","seat":7,"type":"Joined"}',NULL);
INSERT INTO "events" VALUES(1,10,'2026-12-07T08:00:00.000000+00:00',1,'{"gender":"m","name":"Hana","seat":8,"type":"Joined"}',NULL);
INSERT INTO "events" VALUES(1,11,'2026-12-07T08:00:00.000000+00:00',1,'{"counts":[["werewolf",2],["seer",1],["militia",1],["ghost",1],["matchmaker",1],["villager",1],["little-child",1]],"type":"CompositionSet"}',NULL);
INSERT INTO "events" VALUES(1,12,'2026-12-07T08:00:00.000000+00:00',1,'{"type":"RegistrationClosed"}',NULL);
INSERT INTO "events" VALUES(1,13,'2026-12-07T08:00:00.000000+00:00',1,'{"counter":0,"given":false,"purpose":"deal","sides":8,"type":"DiceRolled","value":2}',NULL);
INSERT INTO "events" VALUES(1,14,'2026-12-07T08:00:00.000000+00:00',1,'{"counter":1,"given":false,"purpose":"deal","sides":7,"type":"DiceRolled","value":7}',NULL);
INSERT INTO "events" VALUES(1,15,'2026-12-07T08:00:00.000000+00:00',1,'{"counter":2,"given":false,"purpose":"deal","sides":6,"type":"DiceRolled","value":6}',NULL);
INSERT INTO "events" VALUES(1,16,'2026-12-07T08:00:00.000000+00:00',1,'{"counter":3,"given":false,"purpose":"deal","sides":5,"type":"DiceRolled","value":3}',NULL);
INSERT INTO "events" VALUES(1,17,'2026-12-07T08:00:00.000000+00:00',1,'{"counter":4,"given":false,"purpose":"deal","sides":4,"type":"DiceRolled","value":1}',NULL);
INSERT INTO "events" VALUES(1,18,'2026-12-07T08:00:00.000000+00:00',1,'{"counter":5,"given":false,"purpose":"deal","sides":3,"type":"DiceRolled","value":3}',NULL);
INSERT INTO "events" VALUES(1,19,'2026-12-07T08:00:00.000000+00:00',1,'{"counter":6,"given":false,"purpose":"deal","sides":2,"type":"DiceRolled","value":1}',NULL);
INSERT INTO "events" VALUES(1,20,'2026-12-07T08:00:00.000000+00:00',1,'{"roles":["little-child","militia","ghost","werewolf","seer","matchmaker","villager","werewolf"],"type":"RolesDealt"}',NULL);
INSERT INTO "events" VALUES(1,21,'2026-12-07T08:00:00.000000+00:00',1,'{"at":"2026-12-07T08:00:00+00:00","commitment":"9a2db2e23f1504cd056606553ac049c5e718e8f9ce9233876df1a7a1821af885","composition":null,"immune":[],"type":"GameStarted"}',NULL);
INSERT INTO "events" VALUES(1,22,'2026-12-07T08:00:00.000000+00:00',1,'{"role":"little-child","to":1,"type":"RoleDealt"}',NULL);
INSERT INTO "events" VALUES(1,23,'2026-12-07T08:00:00.000000+00:00',1,'{"role":"militia","to":2,"type":"RoleDealt"}',NULL);
INSERT INTO "events" VALUES(1,24,'2026-12-07T08:00:00.000000+00:00',1,'{"role":"ghost","to":3,"type":"RoleDealt"}',NULL);
INSERT INTO "events" VALUES(1,25,'2026-12-07T08:00:00.000000+00:00',1,'{"role":"werewolf","to":4,"type":"RoleDealt"}',NULL);
INSERT INTO "events" VALUES(1,26,'2026-12-07T08:00:00.000000+00:00',1,'{"pack":[8],"to":4,"type":"PackShown"}',NULL);
INSERT INTO "events" VALUES(1,27,'2026-12-07T08:00:00.000000+00:00',1,'{"role":"seer","to":5,"type":"RoleDealt"}',NULL);
INSERT INTO "events" VALUES(1,28,'2026-12-07T08:00:00.000000+00:00',1,'{"role":"matchmaker","to":6,"type":"RoleDealt"}',NULL);
INSERT INTO "events" VALUES(1,29,'2026-12-07T08:00:00.000000+00:00',1,'{"role":"villager","to":7,"type":"RoleDealt"}',NULL);
INSERT INTO "events" VALUES(1,30,'2026-12-07T08:00:00.000000+00:00',1,'{"role":"werewolf","to":8,"type":"RoleDealt"}',NULL);
INSERT INTO "events" VALUES(1,31,'2026-12-07T08:00:00.000000+00:00',1,'{"pack":[4],"to":8,"type":"PackShown"}',NULL);
INSERT INTO "events" VALUES(1,32,'2026-12-07T08:00:00.000000+00:00',1,'{"at":"2026-12-07T08:00:00+00:00","execution":"2026-12-10T21:00:00+00:00","turn":1,"type":"DayOpened"}',NULL);
INSERT INTO "events" VALUES(1,33,'2026-12-07T08:00:00.000000+00:00',1,'{"closes":"2026-12-09T21:00:00+00:00","opens":"2026-12-08T23:00:00+00:00","type":"ElectionSet"}',NULL);
INSERT INTO "events" VALUES(1,34,'2026-12-07T08:00:00.000000+00:00',1,'{"at":"2026-12-07T08:00:00+00:00","seat":1,"seats":[5],"type":"OrderTaken","verb":"VOTE","word":""}',NULL);
INSERT INTO "events" VALUES(1,35,'2026-12-07T08:00:00.000000+00:00',1,'{"at":"2026-12-07T08:00:00+00:00","seat":2,"seats":[5],"type":"OrderTaken","verb":"VOTE","word":""}',NULL);
INSERT INTO "events" VALUES(1,36,'2026-12-07T08:00:00.000000+00:00',1,'{"at":"2026-12-07T08:00:00+00:00","seat":3,"seats":[5],"type":"OrderTaken","verb":"VOTE","word":""}',NULL);
INSERT INTO "events" VALUES(1,37,'2026-12-07T08:00:00.000000+00:00',1,'{"at":"2026-12-07T08:00:00+00:00","seat":4,"seats":[5],"type":"OrderTaken","verb":"VOTE","word":""}',NULL);
INSERT INTO "events" VALUES(1,38,'2026-12-07T08:00:00.000000+00:00',1,'{"at":"2026-12-07T08:00:00+00:00","seat":6,"seats":[5],"type":"OrderTaken","verb":"VOTE","word":""}',NULL);
INSERT INTO "events" VALUES(1,39,'2026-12-07T08:00:00.000000+00:00',1,'{"at":"2026-12-07T08:00:00+00:00","seat":7,"seats":[5],"type":"OrderTaken","verb":"VOTE","word":""}',NULL);
INSERT INTO "events" VALUES(1,40,'2026-12-07T08:00:00.000000+00:00',1,'{"at":"2026-12-07T08:00:00+00:00","seat":8,"seats":[5],"type":"OrderTaken","verb":"VOTE","word":""}',NULL);
INSERT INTO "events" VALUES(1,41,'2026-12-09T21:00:02.000000+00:00',1,'{"at":"2026-12-09T21:00:00+00:00","type":"PhaseClosed","what":"election"}',NULL);
INSERT INTO "events" VALUES(1,42,'2026-12-09T21:00:02.000000+00:00',1,'{"ballots":[],"mayor":null,"type":"ElectionClosed"}',NULL);
INSERT INTO "events" VALUES(1,43,'2026-12-09T21:00:02.000000+00:00',1,'{"closes":"2026-12-12T21:00:00+00:00","opens":"2026-12-11T23:00:00+00:00","type":"ElectionSet"}',NULL);
INSERT INTO "events" VALUES(1,44,'2026-12-09T21:00:02.000000+00:00',1,'{"execution":"2026-12-10T21:00:00+00:00","hours":24,"to":5,"type":"VoteReminded"}',NULL);
INSERT INTO "events" VALUES(1,45,'2026-12-10T21:00:02.000000+00:00',1,'{"at":"2026-12-10T21:00:00+00:00","type":"PhaseClosed","what":"execution"}',NULL);
INSERT INTO "events" VALUES(1,46,'2026-12-10T21:00:02.000000+00:00',1,'{"forged":false,"record":[[1,5,"vote"],[2,5,"vote"],[3,5,"vote"],[4,5,"vote"],[5,0,"blank"],[6,5,"vote"],[7,5,"vote"],[8,5,"vote"]],"tally":[[5,7]],"turn":1,"type":"VotesPublished"}',NULL);
INSERT INTO "events" VALUES(1,47,'2026-12-10T21:00:02.000000+00:00',1,'{"how":"blank","to":5,"type":"VoteMissed"}',NULL);
INSERT INTO "events" VALUES(1,48,'2026-12-10T21:00:02.000000+00:00',1,'{"seats":[],"type":"SilentNoted"}',NULL);
INSERT INTO "events" VALUES(1,49,'2026-12-10T21:00:02.000000+00:00',1,'{"burned":[5],"turn":1,"type":"ExecutionDone"}',NULL);
INSERT INTO "events" VALUES(1,50,'2026-12-10T21:00:02.000000+00:00',1,'{"cause":"executed","reason":"","role":"seer","seat":5,"turn":1,"type":"Died"}',NULL);
INSERT INTO "events" VALUES(1,51,'2026-12-10T21:00:02.000000+00:00',1,'{"turn":1,"type":"SunsetOpened","until":"2026-12-10T21:30:00+00:00"}',NULL);
INSERT INTO "events" VALUES(1,52,'2026-12-10T21:30:02.000000+00:00',1,'{"at":"2026-12-10T21:30:00+00:00","type":"PhaseClosed","what":"sunset"}',NULL);
INSERT INTO "events" VALUES(1,53,'2026-12-10T21:30:02.000000+00:00',1,'{"asleep":false,"blocked":[],"converted":0,"extra":0,"innocents":5,"main":[],"protected":[],"sacrificed":0,"spends":[],"stopped":[],"type":"NightFixed","unmasked":[],"wolves":[4,8]}',NULL);
INSERT INTO "events" VALUES(1,54,'2026-12-10T21:30:02.000000+00:00',1,'{"turn":1,"type":"VisionOpened","until":"2026-12-10T22:00:00+00:00"}',NULL);
INSERT INTO "events" VALUES(1,55,'2026-12-10T22:00:02.000000+00:00',1,'{"at":"2026-12-10T22:00:00+00:00","type":"PhaseClosed","what":"vision"}',NULL);
INSERT INTO "events" VALUES(1,56,'2026-12-10T22:00:02.000000+00:00',1,'{"at":"2026-12-10T22:00:00+00:00","type":"PhaseClosed","what":"murder"}',NULL);
INSERT INTO "events" VALUES(1,57,'2026-12-10T22:00:02.000000+00:00',1,'{"asleep":false,"found":[],"turn":1,"type":"MurderDone"}',NULL);
INSERT INTO "events" VALUES(1,58,'2026-12-10T22:00:02.000000+00:00',1,'{"deaths":1,"turn":1,"type":"TurnEnded"}',NULL);
INSERT INTO "events" VALUES(1,59,'2026-12-10T22:00:02.000000+00:00',1,'{"at":"2026-12-10T22:00:00+00:00","execution":"2026-12-13T21:00:00+00:00","turn":2,"type":"DayOpened"}',NULL);
INSERT INTO "events" VALUES(1,60,'2026-12-10T22:00:02.000000+00:00',1,'{"at":"2026-12-10T22:00:02+00:00","seat":2,"seats":[1],"type":"OrderTaken","verb":"VOTE","word":""}',NULL);
INSERT INTO "events" VALUES(1,61,'2026-12-10T22:00:02.000000+00:00',1,'{"at":"2026-12-10T22:00:02+00:00","seat":3,"seats":[1],"type":"OrderTaken","verb":"VOTE","word":""}',NULL);
INSERT INTO "events" VALUES(1,62,'2026-12-10T22:00:02.000000+00:00',1,'{"at":"2026-12-10T22:00:02+00:00","seat":4,"seats":[1],"type":"OrderTaken","verb":"VOTE","word":""}',NULL);
INSERT INTO "events" VALUES(1,63,'2026-12-10T22:00:02.000000+00:00',1,'{"at":"2026-12-10T22:00:02+00:00","seat":6,"seats":[1],"type":"OrderTaken","verb":"VOTE","word":""}',NULL);
INSERT INTO "events" VALUES(1,64,'2026-12-10T22:00:02.000000+00:00',1,'{"at":"2026-12-10T22:00:02+00:00","seat":7,"seats":[1],"type":"OrderTaken","verb":"VOTE","word":""}',NULL);
INSERT INTO "events" VALUES(1,65,'2026-12-10T22:00:02.000000+00:00',1,'{"at":"2026-12-10T22:00:02+00:00","seat":8,"seats":[1],"type":"OrderTaken","verb":"VOTE","word":""}',NULL);
CREATE TABLE games (
	id INTEGER NOT NULL, 
	code VARCHAR(32) NOT NULL, 
	series TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	over BOOLEAN NOT NULL, 
	created VARCHAR(32) NOT NULL, 
	ended VARCHAR(32), 
	CONSTRAINT pk_games PRIMARY KEY (id), 
	CONSTRAINT uq_games_code UNIQUE (code)
);
INSERT INTO "games" VALUES(1,'PL1','',65,0,'2026-12-07T08:00:00.000000+00:00',NULL);
CREATE TABLE graveyard (
	game_id INTEGER NOT NULL, 
	address TEXT NOT NULL, 
	CONSTRAINT pk_graveyard PRIMARY KEY (game_id, address), 
	CONSTRAINT fk_graveyard_game_id_games FOREIGN KEY(game_id) REFERENCES games (id)
);
CREATE TABLE held (
	code VARCHAR(64) NOT NULL, 
	game_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	address TEXT NOT NULL, 
	raw BLOB NOT NULL, 
	received VARCHAR(32) NOT NULL, 
	commands TEXT NOT NULL, 
	created VARCHAR(32) NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	settled VARCHAR(32), 
	mail_id INTEGER, 
	CONSTRAINT pk_held PRIMARY KEY (code), 
	CONSTRAINT fk_held_game_id_games FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT fk_held_mail_id_mails FOREIGN KEY(mail_id) REFERENCES mails (id)
);
INSERT INTO "held" VALUES('code000000000001',1,3,'p3@example.org',X'5375626A6563743A20564F544520310D0A0D0A','2026-12-10T22:00:02.000000+00:00','{}','2026-12-10T22:00:02.000000+00:00','waiting',NULL,1);
CREATE TABLE kv (
	"key" VARCHAR(200) NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_kv PRIMARY KEY ("key")
);
INSERT INTO "kv" VALUES('a key','é');
CREATE TABLE leases (
	name VARCHAR(64) NOT NULL, 
	owner VARCHAR(200) NOT NULL, 
	until VARCHAR(32) NOT NULL, 
	CONSTRAINT pk_leases PRIMARY KEY (name)
);
CREATE TABLE mailboxes (
	folder VARCHAR(200) NOT NULL, 
	uidvalidity BIGINT NOT NULL, 
	uid BIGINT NOT NULL, 
	CONSTRAINT pk_mailboxes PRIMARY KEY (folder)
);
INSERT INTO "mailboxes" VALUES('INBOX',7,41);
CREATE TABLE mails (
	id INTEGER NOT NULL, 
	uidvalidity BIGINT NOT NULL, 
	uid BIGINT NOT NULL, 
	received VARCHAR(32) NOT NULL, 
	read VARCHAR(32) NOT NULL, 
	message_id TEXT NOT NULL, 
	sender TEXT NOT NULL, 
	authentic BOOLEAN NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	outcome TEXT NOT NULL, 
	game_id INTEGER, 
	seat INTEGER, 
	raw BLOB, 
	CONSTRAINT pk_mails PRIMARY KEY (id), 
	CONSTRAINT fk_mails_game_id_games FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT uq_mails_uidvalidity_uid UNIQUE (uidvalidity, uid)
);
INSERT INTO "mails" VALUES(1,7,41,'2026-12-10T22:00:02.000000+00:00','2026-12-10T22:00:02.000000+00:00','<vote@example.org>','p2@example.org',0,'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd','command','[]',1,NULL,NULL);
CREATE TABLE outages (
	id INTEGER NOT NULL, 
	began VARCHAR(32) NOT NULL, 
	ended VARCHAR(32), 
	CONSTRAINT pk_outages PRIMARY KEY (id)
);
INSERT INTO "outages" VALUES(1,'2026-12-10T21:00:02.000000+00:00','2026-12-10T22:00:02.000000+00:00');
CREATE TABLE outbox (
	id INTEGER NOT NULL, 
	game_id INTEGER, 
	seat INTEGER, 
	kind VARCHAR(64) NOT NULL, 
	"to" TEXT NOT NULL, 
	domain TEXT NOT NULL, 
	message_id TEXT NOT NULL, 
	raw BLOB NOT NULL, 
	thread TEXT NOT NULL, 
	notices TEXT NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	attempts INTEGER NOT NULL, 
	created VARCHAR(32) NOT NULL, 
	not_before VARCHAR(32) NOT NULL, 
	lease VARCHAR(32), 
	sent VARCHAR(32), 
	error TEXT NOT NULL, 
	reported BOOLEAN NOT NULL, 
	CONSTRAINT pk_outbox PRIMARY KEY (id), 
	CONSTRAINT fk_outbox_game_id_games FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT uq_outbox_message_id UNIQUE (message_id)
);
INSERT INTO "outbox" VALUES(1,1,NULL,'digest','p1@example.org','example.org','<0@village.example>',X'5375626A6563743A20780D0A0D0A780D0A','PL1/day/2','[]','sent',0,'2026-12-10T22:00:02.000000+00:00','2026-12-10T22:00:02.000000+00:00',NULL,'2026-12-10T22:00:02.000000+00:00','',0);
INSERT INTO "outbox" VALUES(2,1,NULL,'digest','p2@example.org','example.org','<1@village.example>',X'5375626A6563743A20780D0A0D0A780D0A','PL1/day/2','[]','failed',0,'2026-12-10T22:00:02.000000+00:00','2026-12-10T22:00:02.000000+00:00',NULL,NULL,'550 no',0);
INSERT INTO "outbox" VALUES(3,1,NULL,'digest','village@example.org','example.org','<2@village.example>',X'5375626A6563743A20780D0A0D0A780D0A','PL1/day/2','[]','pending',0,'2026-12-10T22:00:02.000000+00:00','2026-12-10T22:00:02.000000+00:00',NULL,NULL,'',0);
CREATE TABLE players (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	address TEXT NOT NULL, 
	language VARCHAR(8) NOT NULL, 
	gender VARCHAR(1) NOT NULL, 
	amount VARCHAR(16) NOT NULL, 
	reminders BOOLEAN NOT NULL, 
	bounced VARCHAR(32), 
	CONSTRAINT pk_players PRIMARY KEY (id), 
	CONSTRAINT fk_players_game_id_games FOREIGN KEY(game_id) REFERENCES games (id)
);
INSERT INTO "players" VALUES(1,1,1,'p1@example.org','fr','m','posts',1,NULL);
INSERT INTO "players" VALUES(2,1,2,'p2@example.org','fr','m','posts',1,NULL);
INSERT INTO "players" VALUES(3,1,3,'p3@example.org','fr','m','posts',1,NULL);
INSERT INTO "players" VALUES(4,1,4,'p4@example.org','fr','m','posts',1,NULL);
INSERT INTO "players" VALUES(5,1,5,'p5@example.org','fr','m','posts',1,NULL);
INSERT INTO "players" VALUES(6,1,6,'p6@example.org','fr','m','posts',1,NULL);
INSERT INTO "players" VALUES(7,1,7,'p7@example.org','fr','m','posts',1,NULL);
INSERT INTO "players" VALUES(8,1,8,'p8@example.org','fr','m','posts',1,NULL);
CREATE TABLE quarantine (
	id INTEGER NOT NULL, 
	at VARCHAR(32) NOT NULL, 
	why TEXT NOT NULL, 
	mail_id INTEGER, 
	raw BLOB NOT NULL, 
	CONSTRAINT pk_quarantine PRIMARY KEY (id), 
	CONSTRAINT fk_quarantine_mail_id_mails FOREIGN KEY(mail_id) REFERENCES mails (id)
);
INSERT INTO "quarantine" VALUES(1,'2026-12-10T22:00:02.000000+00:00','unreadable',NULL,X'FF206E6F742061206D61696C');
CREATE TABLE readers (
	game_id INTEGER NOT NULL, 
	address TEXT NOT NULL, 
	name TEXT NOT NULL, 
	language VARCHAR(8) NOT NULL, 
	amount VARCHAR(16) NOT NULL, 
	tag VARCHAR(64) NOT NULL, 
	bounced VARCHAR(32), 
	CONSTRAINT pk_readers PRIMARY KEY (game_id, address), 
	CONSTRAINT fk_readers_game_id_games FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT uq_readers_tag UNIQUE (tag)
);
INSERT INTO "readers" VALUES(1,'reader@example.org','Reader','fr','posts','readertag0000001',NULL);
CREATE TABLE storytellers (
	game_id INTEGER NOT NULL, 
	address TEXT NOT NULL, 
	name TEXT NOT NULL, 
	language VARCHAR(8) NOT NULL, 
	gender VARCHAR(1) NOT NULL, 
	CONSTRAINT pk_storytellers PRIMARY KEY (game_id, address), 
	CONSTRAINT fk_storytellers_game_id_games FOREIGN KEY(game_id) REFERENCES games (id)
);
INSERT INTO "storytellers" VALUES(1,'conteur@example.org','','fr','m');
CREATE TABLE tags (
	tag VARCHAR(64) NOT NULL, 
	game_id INTEGER NOT NULL, 
	player_id INTEGER, 
	seat INTEGER NOT NULL, 
	retired BOOLEAN NOT NULL, 
	CONSTRAINT pk_tags PRIMARY KEY (tag), 
	CONSTRAINT fk_tags_game_id_games FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT fk_tags_player_id_players FOREIGN KEY(player_id) REFERENCES players (id) ON DELETE SET NULL
);
INSERT INTO "tags" VALUES('PL1tag1',1,1,1,0);
INSERT INTO "tags" VALUES('PL1tag2',1,2,2,0);
INSERT INTO "tags" VALUES('PL1tag3',1,3,3,0);
INSERT INTO "tags" VALUES('PL1tag4',1,4,4,0);
INSERT INTO "tags" VALUES('PL1tag5',1,5,5,0);
INSERT INTO "tags" VALUES('PL1tag6',1,6,6,0);
INSERT INTO "tags" VALUES('PL1tag7',1,7,7,0);
INSERT INTO "tags" VALUES('PL1tag8',1,8,8,0);
CREATE TABLE threads (
	game_id INTEGER NOT NULL, 
	thread TEXT NOT NULL, 
	root TEXT NOT NULL, 
	last TEXT NOT NULL, 
	CONSTRAINT pk_threads PRIMARY KEY (game_id, thread), 
	CONSTRAINT fk_threads_game_id_games FOREIGN KEY(game_id) REFERENCES games (id)
);
INSERT INTO "threads" VALUES(1,'PL1/day/2','<0@village.example>','<0@village.example>');
CREATE INDEX ix_mails_message_id_sender ON mails (message_id, sender);
CREATE INDEX ix_mails_digest ON mails (digest);
CREATE INDEX ix_mails_sender_received ON mails (sender, received);
CREATE INDEX ix_players_game_id_seat ON players (game_id, seat);
CREATE INDEX ix_players_address ON players (address);
CREATE INDEX ix_tags_player_id ON tags (player_id);
CREATE INDEX ix_storytellers_address ON storytellers (address);
CREATE INDEX ix_readers_address ON readers (address);
CREATE INDEX ix_outbox_state_not_before ON outbox (state, not_before);
CREATE INDEX ix_outbox_game_id_to ON outbox (game_id, "to");
CREATE INDEX ix_outbox_domain_sent ON outbox (domain, sent);
CREATE INDEX ix_outbox_to_kind_created ON outbox ("to", kind, created);
CREATE INDEX ix_held_game_id_seat ON held (game_id, seat);
COMMIT;
