"""The synthetic corpus: short chats whose every answer is a function of what was said before it.

A test may therefore expect an answer word for word. One file for each group of behaviours; `conversation`
strings turns together, `render` writes them as the chat template would.
"""
