// Work executes the tasks of a queue of asynq, one at a time.
//
//	work -lasts 2s redis:6379
package main

import (
	"context"
	"flag"
	"log/slog"
	"os"
	"time"

	"github.com/hibiken/asynq"
)

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stdout, nil)))
	lasts := flag.Duration("lasts", 2*time.Second, "how long a task takes")
	delay := flag.Duration("delay", 10*time.Second, "how long after a failure a task is tried again")
	connections := flag.Int("connections", 0, "the most connections, 0 for what asynq has: ten for each core")
	flag.Parse()
	server := asynq.NewServer(asynq.RedisClientOpt{Addr: flag.Arg(0), PoolSize: *connections}, asynq.Config{
		Concurrency:    1,
		RetryDelayFunc: func(int, error, *asynq.Task) time.Duration { return *delay },
	})
	handler := func(ctx context.Context, _ *asynq.Task) error {
		task, _ := asynq.GetTaskID(ctx)
		slog.Info("begins", "task", task)
		select {
		case <-time.After(*lasts):
			slog.Info("executed", "task", task)
			return nil
		case <-ctx.Done():
			slog.Info("gave up", "task", task)
			return ctx.Err()
		}
	}
	if err := server.Run(asynq.HandlerFunc(handler)); err != nil {
		slog.Error("cannot go on", "error", err)
		os.Exit(1)
	}
}
