package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	maelstrom "github.com/jepsen-io/maelstrom/demo/go"
)

// Logs keeps logs, and how far they are committed, in the service lin-kv.
func Logs() *maelstrom.Node { return newLogs(true) }

// HastyLogs is Logs, but does not look whether another node has sent in the meantime.
func HastyLogs() *maelstrom.Node { return newLogs(false) }

func newLogs(careful bool) *maelstrom.Node {
	n := maelstrom.NewNode()
	kv := maelstrom.NewLinKV(n)
	handle := func(kind string, do func(ctx context.Context, body request) (map[string]any, error)) {
		n.Handle(kind, func(m maelstrom.Message) error {
			var body request
			if err := json.Unmarshal(m.Body, &body); err != nil {
				return err
			}
			var answer map[string]any
			if err := try(func(ctx context.Context) (err error) {
				answer, err = do(ctx, body)
				return err
			}); err != nil {
				return maelstrom.NewRPCError(maelstrom.Crash, err.Error()) // it may have happened
			}
			answer["type"] = kind + "_ok"
			return n.Reply(m, answer)
		})
	}
	handle("send", func(ctx context.Context, body request) (map[string]any, error) {
		for {
			log, err := readLog(ctx, kv, body.Key)
			if err != nil {
				return nil, err
			}
			longer := append(slices.Clone(log), body.Msg)
			if careful {
				err = kv.CompareAndSwap(ctx, body.Key, log, longer, true)
			} else {
				err = kv.Write(ctx, body.Key, longer)
			}
			if maelstrom.ErrorCode(err) == maelstrom.PreconditionFailed {
				continue
			}
			return map[string]any{"offset": len(log)}, err
		}
	})
	handle("poll", func(ctx context.Context, body request) (map[string]any, error) {
		msgs := map[string][][2]int{}
		for key, from := range body.Offsets {
			log, err := readLog(ctx, kv, key)
			if err != nil {
				return nil, err
			}
			msgs[key] = [][2]int{}
			for offset := from; offset < len(log); offset++ {
				msgs[key] = append(msgs[key], [2]int{offset, log[offset]})
			}
		}
		return map[string]any{"msgs": msgs}, nil
	})
	handle("commit_offsets", func(ctx context.Context, body request) (map[string]any, error) {
		for key, offset := range body.Offsets {
			if err := kv.Write(ctx, committed(key), offset); err != nil {
				return nil, err
			}
		}
		return map[string]any{}, nil
	})
	handle("list_committed_offsets", func(ctx context.Context, body request) (map[string]any, error) {
		offsets := map[string]int{}
		for _, key := range body.Keys {
			offset, err := kv.ReadInt(ctx, committed(key))
			switch {
			case err == nil:
				offsets[key] = offset
			case maelstrom.ErrorCode(err) != maelstrom.KeyDoesNotExist:
				return nil, err
			}
		}
		return map[string]any{"offsets": offsets}, nil
	})
	return n
}

// request is what clients ask of logs.
type request struct {
	Key     string
	Msg     int
	Keys    []string
	Offsets map[string]int
}

func committed(key string) string { return fmt.Sprint("committed ", key) }

// readLog returns the messages of a log.
func readLog(ctx context.Context, kv *maelstrom.KV, key string) ([]int, error) {
	log := []int{}
	err := kv.ReadInto(ctx, key, &log)
	if maelstrom.ErrorCode(err) == maelstrom.KeyDoesNotExist {
		err = nil
	}
	return log, err
}
