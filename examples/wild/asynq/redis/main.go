// Redis is miniredis: a Redis in memory, with scripts in Lua.
//
//	redis :6379
package main

import (
	"log"
	"os"

	"github.com/alicebob/miniredis/v2"
)

func main() {
	m := miniredis.NewMiniRedis()
	m.ClockTTL(true) // keys expire by the clock
	if err := m.StartAddr(os.Args[1]); err != nil {
		log.Fatal(err)
	}
	select {}
}
