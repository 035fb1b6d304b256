# What was executed is not begun again.
violation(Task, At) :- log(_, _, "executed", "task", Task, Then), log(_, _, "begins", "task", Task, At), Then < At.
