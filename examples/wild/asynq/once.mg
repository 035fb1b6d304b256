# Each task that was acknowledged is executed at least once.
executed(Task, At) :- log(_, _, "executed", "task", Task, At).
added(What, Task, At) :- log(_, _, "added", What, Task, At).
violation(Task, "is not executed") :- added(_, Task, _), !executed(Task, _).

# While a unique task is there, no other one is added.
done(Task, At) :- executed(Task, Then), added("unique", _, At), Then <= At.
violation(Task, Other) :- added("unique", Task, First), added("unique", Other, Then), First < Then, !done(Task, Then).
