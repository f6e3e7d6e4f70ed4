"""The synthetic corpus: short chats in which every answer is a function of the text before it.

So a test can expect an answer word for word. Each group of behaviours has a file. `conversation` joins turns into
conversations, and `render` writes them as the chat template does.
"""
