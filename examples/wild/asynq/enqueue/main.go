// Enqueue adds tasks to a queue of asynq: those that are done at once, one that is scheduled for
// later, and one that is unique and is added again and again. It says which were acknowledged.
//
//	enqueue redis:6379
package main

import (
	"errors"
	"log/slog"
	"os"
	"time"

	"github.com/hibiken/asynq"
)

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stdout, nil)))
	client := asynq.NewClient(asynq.RedisClientOpt{Addr: os.Args[1]})
	for _, id := range []string{"a", "b", "c"} {
		add(client, id, asynq.TaskID(id))
	}
	add(client, "later", asynq.TaskID("later"), asynq.ProcessIn(10*time.Second))
	for range 4 {
		add(client, "unique", asynq.Unique(10*time.Minute))
		time.Sleep(3 * time.Second)
	}
	add(client, "d", asynq.TaskID("d"))
}

// add adds a task until that is acknowledged, or it is said to be there.
func add(client *asynq.Client, what string, options ...asynq.Option) {
	for range 10 {
		info, err := client.Enqueue(asynq.NewTask("task", []byte(what)), options...)
		switch {
		case err == nil:
			slog.Info("added", what, info.ID)
			return
		case errors.Is(err, asynq.ErrTaskIDConflict):
			slog.Info("added", what, what)
			return
		case errors.Is(err, asynq.ErrDuplicateTask):
			slog.Info("there", what, "")
			return
		}
		slog.Info("not added", what, err)
		time.Sleep(time.Second)
	}
}
