# At most one leads: nobody acts as the leader when another one has come to lead since it did.
led(Node, At) :- log(Node, _, "leads", _, _, At).
violation(Node, Other, At) :-
  led(Node, First), led(Other, Then), Node != Other, First < Then,
  log(Node, _, "acts", _, _, At), Then < At, !stopped(Node, First, At).
stopped(Node, First, At) :- led(Node, First), log(Node, _, "stopped", _, _, Mid), First <= Mid, log(Node, _, "acts", _, _, At), Mid <= At.
