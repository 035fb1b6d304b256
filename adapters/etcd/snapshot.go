package etcd

import (
	"encoding/json"
	"fmt"
)

// The data of a snapshot is all entries that were applied.
func snapshotOf(applied []Entry) []byte {
	data, err := json.Marshal(applied)
	if err != nil {
		panic(err) // numbers and bytes always have a text
	}
	return data
}

func entriesOf(snapshot []byte) []Entry {
	if len(snapshot) == 0 {
		return nil // of a log that begins with nothing
	}
	var applied []Entry
	if err := json.Unmarshal(snapshot, &applied); err != nil {
		panic(fmt.Sprintf("the data of a snapshot is not what was put into one: %v", err))
	}
	return applied
}
