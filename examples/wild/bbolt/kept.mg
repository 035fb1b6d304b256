# What was acknowledged is there at each later start.
violation(Node, Transaction, Has) :-
  log(Node, _, "acknowledged", "transaction", Transaction, Before), log(Node, _, "has", "transactions", Has, After), Before < After, Has < Transaction.
