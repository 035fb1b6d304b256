package etcd

import (
	"encoding/binary"
	"fmt"
)

// ReadSimpleChange reads the data of an entry of type EntryConfChange, in which
// every version of the library writes the same.
func ReadSimpleChange(data []byte) *Change {
	var c Change
	n := NodeChange{Op: opOf(0)}
	readFields(data, func(field int, number uint64, content []byte) {
		switch field {
		case 2:
			n.Op = opOf(number)
		case 3:
			n.Node = number
		case 4:
			c.Context = content
		}
	})
	c.Nodes = []NodeChange{n}
	return &c
}

// ReadChange reads the data of an entry of type EntryConfChangeV2.
func ReadChange(data []byte) *Change {
	var c Change
	readFields(data, func(field int, number uint64, content []byte) {
		switch field {
		case 1:
			c.Transition = Transition(number)
		case 2:
			c.Nodes = append(c.Nodes, readNodeChange(content))
		case 3:
			c.Context = content
		}
	})
	return &c
}

func readNodeChange(data []byte) NodeChange {
	n := NodeChange{Op: opOf(0)}
	readFields(data, func(field int, number uint64, _ []byte) {
		switch field {
		case 1:
			n.Op = opOf(number)
		case 2:
			n.Node = number
		}
	})
	return n
}

// opOf returns an operation by its number in the library.
func opOf(number uint64) Op {
	const ops = "vrul" // ConfChangeAddNode, RemoveNode, UpdateNode, AddLearnerNode
	if number >= uint64(len(ops)) {
		panic(fmt.Sprintf("a committed change is of type %d, which no known version of the library has", number))
	}
	return Op(ops[number])
}

// readFields goes through the fields of a protocol buffer, which are numbers
// or bytes.
func readFields(data []byte, field func(field int, number uint64, content []byte)) {
	next := func() uint64 {
		n, size := binary.Uvarint(data)
		if size <= 0 {
			panic("a committed change is no protocol buffer")
		}
		data = data[size:]
		return n
	}
	for len(data) > 0 {
		key, number := next(), next()
		var content []byte
		switch {
		case key&7 == 2 && number <= uint64(len(data)):
			content, data = data[:number:number], data[number:]
		case key&7 != 0:
			panic("a committed change has fields that are neither numbers nor bytes")
		}
		field(int(key>>3), number, content)
	}
}
