"""How games come out: whole games among bots on the rules alone, by the thousand.

`minds` are the bots, `table` is one game, `trial` many games of a composition on many processes, `figures` what they
add up to, `chart` its picture; `compositions` reads what is to be tried. The bots play the demonstration too.
"""
