# Other, which stopped after Node had come to lead, leads again while Node acts as the leader.
led(Node, At) :- log(Node, _, "leads", _, _, At).
violation(Node, Other, At) :-
  led(Node, First), log(Other, _, "stopped", _, _, Mid), led(Other, Then), Node != Other, First < Mid, Mid < Then,
  log(Node, _, "acts", _, _, At), Then < At, !stopped(Node, First, At).
stopped(Node, First, At) :- led(Node, First), log(Node, _, "stopped", _, _, Mid), First <= Mid, log(Node, _, "acts", _, _, At), Mid <= At.
