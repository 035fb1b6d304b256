package simulation

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTable(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	lognormal := make([]time.Duration, 10000)
	for i := range lognormal {
		lognormal[i] = time.Duration(random.ExpFloat64() * random.ExpFloat64() * float64(time.Second))
	}
	questions := []*Question{
		Suite("suite of 10,000 cases", Scaled(lognormal, 10000*time.Second)),
		Cubes("cubes, 10^3 s", 1000*time.Second, 2*time.Second, 8, 1, random),
		Cubes("cubes, 10^4 s", 10000*time.Second, 2*time.Second, 8, 1, random),
		Cubes("cubes, 10^5 s", 100000*time.Second, 2*time.Second, 8, 1, random),
		Executions("draws, 10^4 s", 5000, 2*time.Second, 0.2, random),
	}
	var out strings.Builder
	require.NoError(t, Table(&out, questions, []int{1, 2, 10, 100, 1000}, Measured))
	t.Logf("\n%s", out.String())
}
