# Members apply the same entries, and those that were acknowledged.
told(Node, Number, Entry) :- log(Node, _, "applied", Number, Entry, _).
told(Node, Number, Entry) :- log(Node, _, "acknowledged", Number, Entry, _).
violation(Node, Number, Entry, Other) :- told(Node, Number, Entry), told(_, Number, Other), Entry != Other.
