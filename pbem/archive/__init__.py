"""The readers' web site: pages, pictures, feeds and files, all static, written after each digest and post.

What is shown comes in as frozen facts (`facts`): the public view and public events until a game is over, everything
after. Nothing here knows the store, the truth of a running game, or anybody's address. `writer.Archive` writes,
`server` shows; any other web server can show the folder as well.
"""
