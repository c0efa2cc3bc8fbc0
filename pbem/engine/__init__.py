"""The rules of Pleine Lune, pure: no clock, no input or output, no chance but the game's own dice."""
