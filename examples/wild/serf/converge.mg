# At the end each member sees those that have not left as alive if they are up (and have been
# for a while: nothing fails in the last rounds), and those that have left as left.
looks(Node, At) :- log(Node, _, "sees", _, _, At).
left(Node) :- log(Node, _, "left", _, _, _).
sees(Node, Other, Status, At) :- log(Node, _, "sees", Other, Status, At).
alive(Node, Other, At) :- sees(Node, Other, "alive", At).
violation(Node, Other, "is up") :- looks(Node, At), looks(Other, _), !alive(Node, Other, At).
violation(Node, Other, Status) :- left(Other), sees(Node, Other, Status, _), Status != "left".

# An event comes from each member that has not crashed to each other one.
again(Node) :- log(Node, _, "starts", _, _, Early), log(Node, _, "starts", _, _, Late), Early < Late.
stays(Node) :- looks(Node, _), !again(Node).
heard(Node, Event) :- log(Node, _, "heard", "event", Event, _).
violation(Node, Event, "was not heard") :- log(From, _, "sent", "event", Event, _), stays(From), stays(Node), !heard(Node, Event).
