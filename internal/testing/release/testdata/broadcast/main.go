// Command broadcast decides a protocol from Go.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

//go:embed retry.ded
var retry string

func main() {
	if err := check(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check() error {
	program, err := dedalus.ParseText("retry.ded", retry)
	if err != nil {
		return err
	}
	bounds, goals, err := rounds.BoundsOf(program, nil)
	if err != nil {
		return err
	}
	model, err := ldfi.New(program, bounds, ldfi.Options{Goals: goals})
	if err != nil {
		return err
	}
	answer, err := model.Check(context.Background())
	if err != nil {
		return err
	}
	fmt.Println(answer.Verdict)
	for _, c := range answer.Counterexamples {
		fmt.Println(c.Schedule)
	}
	return nil
}
