# What is acknowledged is on a backup.
pre(V) :- acknowledged(_, V, _).
post(V) :- has(_, V, _).
