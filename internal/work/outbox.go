package work

import (
	"slices"
	"sync"
)

// outbox has the orders that are to be written yet. Nobody waits to put some there: who
// does may have to end soon.
type outbox struct {
	mutex  sync.Mutex
	more   sync.Cond
	orders []Order
	closed bool
}

func newOutbox() *outbox {
	o := &outbox{}
	o.more.L = &o.mutex
	return o
}

// put adds an order behind the others.
func (o *outbox) put(order Order) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.closed && order.Distrust == "" {
		return
	}
	o.orders = append(o.orders, order)
	o.more.Signal()
}

// take waits for orders and takes all; nil: there are no more.
func (o *outbox) take() []Order {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for len(o.orders) == 0 && !o.closed {
		o.more.Wait()
	}
	taken := o.orders
	o.orders = nil
	return taken
}

// close ends it. What was not taken by then is not needed any more, but for whom not to
// believe.
func (o *outbox) close() {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.closed = true
	o.orders = slices.DeleteFunc(o.orders, func(order Order) bool { return order.Distrust == "" })
	o.more.Signal()
}
