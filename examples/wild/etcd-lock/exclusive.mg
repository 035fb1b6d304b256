# Nobody writes under the lock when another one has acquired it in between.
given(Other, Turn, Node, Of, At) :-
  log(Node, _, "acquired", "turn", Of, Before), log(Other, _, "acquired", "turn", Turn, At), Node != Other, Before <= At.
violation(Node, Other, At) :-
  given(Other, _, Node, Of, Between), log(Node, _, "writes", "turn", Of, At), Between < At.
