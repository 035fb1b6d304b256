package main

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/bubble"
)

func main() { fmt.Println(bubble.Exact()) }
