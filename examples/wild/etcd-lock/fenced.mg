# No write under a lock has a later revision than the one at which another lock was acquired
# after it.
violation(Lock, Other, Written) :-
  log(_, _, "owns", Lock, Of, _), log(_, _, "owns", Other, After, _), Lock != Other, Of < After,
  log(_, _, "written", Lock, Written, _), After < Written.
