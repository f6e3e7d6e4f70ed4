"""Texts with a label, for questions about them. `{}` is any word, `{n}` a number."""

# Each team has what it does and what people write to it.
TEAMS = {
    "billing": (
        ("payments", "invoices and payments", "money and invoices"),
        (
            "I was charged twice.", "I was charged twice for the {}.", "The invoice for the {} is wrong.",
            "Please send me the invoice for {n} euros.", "I paid {n} euros for the {} and need a receipt.",
            "You took {n} euros from my card.",
        ),
    ),
    "delivery": (
        ("parcels", "parcels on their way", "sending goods"),
        (
            "My parcel has not arrived.", "The parcel with the {} has not arrived.", "When will you deliver the {}?",
            "The package was left at the wrong house.", "Where is my parcel with number {n}?",
            "Please deliver the {} to my new house.",
        ),
    ),
    "returns": (
        ("goods that come back", "sending goods back"),
        (
            "I want to send the {} back.", "How can I return the {}?", "The {} does not fit, I want to return it.",
            "Please take back the {}.", "I send back {n} of them.", "May I return the {} to the shop?",
        ),
    ),
    "support": (
        ("things that do not work", "errors", "help with errors"),
        (
            "The {} does not work.", "The app shows error {n}.", "My {} does not start.", "The {} is broken.",
            "There is an error when I open the {}.", "The screen of the {} stays dark.",
        ),
    ),
    "jobs": (
        ("people who look for work", "work for us"),
        (
            "I would like to work for you.", "I apply for the job as a {}.", "Do you have a job for me?",
            "I look for work and have {n} years of practice.", "Here are my papers for the job.",
            "I would like to join your company.",
        ),
    ),
}  # fmt: skip
TEAM_QUESTIONS = (
    "Which team is this for?", "Which team should answer?", "Who should answer this?", "Which team is the message for?",
)  # fmt: skip
MOOD_QUESTIONS = ("How does the writer feel?", "What is the mood of the text?", "Is the text positive or negative?")
MONEY_CLAIMS = ("It is about money.", "The text is about a payment.", "The writer asks about money.")

# From the lowest level to the highest: names of the levels, questions, and the texts of each level.
SCALES = {
    "anger": (
        (("calm", "annoyed", "furious"), ("not angry", "angry", "very angry")),
        ("How angry is the writer?", "Rate the anger of the text.", "How angry is the text?"),
        (
            (
                "Thank you for the {}.", "I would like to know more about the {}.", "All is well with the {}.",
                "No problem, I can wait.",
            ),
            (
                "Nobody answers.", "This is not nice of you.", "I am not happy with the {}.",
                "It is a pity that nobody helps.",
            ),
            (
                "I hate you!", "This is a scandal!", "You idiots broke the {}!", "Never again, you are the worst!",
            ),
        ),
    ),
    "urgency": (
        (("not urgent", "soon", "urgent"), ("later", "this week", "now")),
        ("How urgent is it?", "How soon is an answer needed?", "Rate how urgent the text is."),
        (
            (
                "There is no hurry with the {}.", "Take your time.", "You may answer next year.",
                "I can wait for the {}.",
            ),
            (
                "Please answer this week.", "I need the {} in a few days.", "Please tell me by Friday.",
                "I would like the {} soon.",
            ),
            (
                "Help, the {} burns!", "I need the {} right now!", "Call me at once!", "This is an emergency!",
            ),
        ),
    ),
    "stars": (
        (("1 star", "2 stars", "3 stars", "4 stars"), ("terrible", "bad", "good", "perfect")),
        ("How many stars does the text give?", "Rate the review.", "How good is the product?"),
        (
            ("A terrible {}.", "The {} is useless and ugly.", "The worst {} of all."),
            ("Not a good {}.", "The {} is rather bad.", "The {} has many faults."),
            ("A good {}.", "The {} is fine.", "I like the {}."),
            ("A perfect {}!", "The best {} of all!", "I love the {}, it is wonderful!"),
        ),
    ),
}  # fmt: skip

# They say something about anger alone, or about teams alone.
FEELINGS = (*SCALES["anger"][2][0], *SCALES["anger"][2][1], "This is a scandal!")
MESSAGES = tuple(text for _, texts in TEAMS.values() for text in texts)

# A claim is true of the first texts and not of the second ones.
CLAIMS = {
    "satisfied": (
        ("The writer is satisfied.", "The writer likes the product.", "The writer is happy."),
        ("I love the {}.", "The {} is wonderful.", "I am happy with the {}.", "The best {} of all!"),
        ("I hate the {}.", "The {} is terrible.", "I am not happy with the {}.", "The worst {} of all!"),
    ),
    "question": (
        ("The text asks a question.", "The writer wants to know something.", "It is a question."),
        ("Do you sell the {}?", "Where is the {}?", "How do I clean the {}?", "When do you open the {}?"),
        ("You sell the {}.", "The {} is there.", "I clean the {}.", "You open the {}."),
    ),
    "price": (
        ("The text names a price.", "The text says what something costs."),
        ("The {} costs {n} euros.", "I paid {n} dollars for the {}.", "They want {n} euros for the {}."),
        ("The {} is {n} years old.", "I have seen {n} of the {}.", "They came at {n} for the {}."),
    ),
    "urgent": (
        ("It is urgent.", "The writer needs an answer now.", "An answer is needed at once."),
        SCALES["urgency"][2][2],
        SCALES["urgency"][2][0],
    ),
}  # fmt: skip
