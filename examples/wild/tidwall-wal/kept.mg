# What was acknowledged is there at each later start.
violation(Node, Change, Has) :-
  log(Node, _, "acknowledged", "change", Change, Before), log(Node, _, "has", "changes", Has, After), Before < After, Has < Change.
