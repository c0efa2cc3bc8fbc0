"""Every letter that the game writes: events and views in, `pbem.post.Letter` out.

`Scribe` is the way in; `Book` says who is written to, `Outcome` what became of a command. Nothing here knows the rules,
the store or the mail: a letter is a function of what happened, of what its reader may know, and of the templates.
"""
