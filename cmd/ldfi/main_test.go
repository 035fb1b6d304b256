package main

import (
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts and the documentation")

// TestMain makes this program the command ldfi for scripts and processes that
// the tests start.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"ldfi": func() { os.Exit(realMain()) },
	})
}

// TestScripts runs the sessions in testdata/script.
func TestScripts(t *testing.T) {
	protocols, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PROTOCOLS", protocols+"/../../testdata/protocols")
			return nil
		},
	})
}
