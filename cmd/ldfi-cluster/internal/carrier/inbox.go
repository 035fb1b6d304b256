package carrier

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/lineage-driven/ldfi/internal/work"
)

// inbox keeps orders that were read and not carried out: a large file that goes to the
// server does not hide that there are no more.
type inbox struct {
	mutex  sync.Mutex
	more   *sync.Cond
	orders []work.Order
	ended  chan struct{} // closed when there are no more
	err    error         // why, if not because whoever gives orders has none; to be read then
}

func newInbox() *inbox {
	i := &inbox{ended: make(chan struct{})}
	i.more = sync.NewCond(&i.mutex)
	return i
}

// read reads orders until there are no more.
func (i *inbox) read(lines *bufio.Reader) {
	for {
		o, err := nextOrder(lines)
		i.mutex.Lock()
		if err != nil {
			if err != io.EOF {
				i.err = fmt.Errorf("reading an order: %w", err)
			}
			close(i.ended)
		} else {
			i.orders = append(i.orders, o)
		}
		i.more.Signal()
		i.mutex.Unlock()
		if err != nil {
			return
		}
	}
}

// take returns orders when there are some, or none when there are no more.
func (i *inbox) take() []work.Order {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	for len(i.orders) == 0 {
		select {
		case <-i.ended:
			return nil
		default:
			i.more.Wait()
		}
	}
	orders := i.orders
	i.orders = nil
	return orders
}

// nextOrder reads an order. io.EOF says that there are no more, also when the last line
// was not whole: whoever wrote it is gone.
func nextOrder(lines *bufio.Reader) (work.Order, error) {
	var o work.Order
	line, err := lines.ReadBytes('\n')
	if err != nil {
		return o, err
	}
	return o, json.Unmarshal(line, &o)
}
