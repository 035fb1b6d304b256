# What was acknowledged is there at each later start.
violation(Node, Key, Has) :-
  log(Node, _, "acknowledged", "key", Key, Before), log(Node, _, "has", "keys", Has, After), Before < After, Has < Key.
