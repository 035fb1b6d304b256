package main

import (
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// valueOf is something that a flag takes.
func valueOf(f *pflag.Flag) string {
	if f.Value.Type() == "bool" {
		return "true"
	}
	return "1"
}

// A flag that would have no effect is refused, by every command that has it, with
// what to do instead.
func TestFlagsOfTheOtherKind(t *testing.T) {
	refused := map[string]int{}
	for _, command := range []string{"run", "inject", "vet", "bisect"} {
		for _, f := range kindFlags {
			cmd, _, err := (&session{}).root().Find([]string{command})
			require.NoError(t, err)
			flag := cmd.Flags().Lookup(f.name)
			if flag == nil {
				continue
			}
			require.NoError(t, checkKind(cmd, !f.system))
			require.NoError(t, cmd.Flags().Set(f.name, valueOf(flag)))
			require.NoError(t, checkKind(cmd, f.system), "%s --%s", command, f.name)
			err = checkKind(cmd, !f.system)
			require.ErrorContains(t, err, "--"+f.name+" ")
			require.ErrorContains(t, err, f.instead+"\nsee ldfi "+command+" --help")
			refused[f.name]++
		}
	}
	require.Len(t, refused, len(kindFlags), "no command has some of these flags")
}
