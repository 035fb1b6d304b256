package causality

// remote tells whether the span is what another service was asked for.
func (n *spanNode) remote() bool { return n.parent != nil && n.parent.process != n.process }

// answered tells whether who called has got an answer: nobody waits for what is put into
// a queue, and who gives up does not see what comes later.
func (n *spanNode) answered() bool {
	caller := n.parent
	if n.Kind == Consumer || caller.Kind == Producer {
		return false
	}
	if caller.Kind != Client {
		return true
	}
	return !caller.Failed || n.Failed
}

// unheard tells whether who was called did what it was asked for, and who called did not
// come to know: the answer was lost, or too late.
func (n *spanNode) unheard() bool {
	return n.parent.Kind == Client && n.parent.Failed && !n.Failed && !n.guessed && n.Kind != Consumer
}

// succeeded tells whether who called has got what it asked for.
func (n *spanNode) succeeded() bool {
	if n.remote() && n.parent.Kind == Client && n.parent.Failed {
		return false
	}
	return !n.Failed
}

// operation is what is asked, and of whom: another attempt asks the same.
type operation struct{ process, name string }

// call is what a child of a span asks of another service, and false if it asks nothing
// of any: the child is that call itself, or the span of its caller.
func (n *spanNode) call() (operation, *spanNode, bool) {
	if n.remote() {
		return operation{n.process, n.Name}, n, true
	}
	if n.Kind != Client && n.Kind != Producer {
		return operation{}, nil, false
	}
	for _, c := range n.children {
		if c.remote() {
			return operation{c.process, c.Name}, c, true
		}
	}
	return operation{}, nil, false
}

// retries returns which of the calls of a span are another attempt, and the attempt
// before, which had failed by then.
func (n *spanNode) retries() map[*spanNode]*spanNode {
	type who struct {
		operation
		process string
	}
	last, attempts := map[who]*spanNode{}, map[*spanNode]*spanNode{}
	for _, c := range n.children {
		op, _, ok := c.call()
		if !ok {
			continue
		}
		key := who{op, c.process}
		if before := last[key]; before != nil && before.End <= c.Start {
			if _, called, _ := before.call(); !called.succeeded() {
				attempts[c] = before
			}
		}
		last[key] = c
	}
	return attempts
}
