package network

import (
	"context"
	"errors"
	"net"
	"os"
	"syscall"
)

// failure is an error of a system call, as package net wraps it.
func failure(call string, number syscall.Errno) error { return os.NewSyscallError(call, number) }

// called wraps an error number as the error of a system call, and returns other errors
// unchanged.
func called(call string, err error) error {
	if number, ok := err.(syscall.Errno); ok {
		return failure(call, number)
	}
	return err
}

// timeoutError is the error of a dial whose context ended. Its text and methods are those
// of the error in package net.
type timeoutError struct{}

func (timeoutError) Error() string        { return "i/o timeout" }
func (timeoutError) Timeout() bool        { return true }
func (timeoutError) Temporary() bool      { return true }
func (timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

type canceledError struct{}

func (canceledError) Error() string        { return "operation was canceled" }
func (canceledError) Is(target error) bool { return target == context.Canceled }

// ended returns the error of dialing for the error of a context.
func ended(err error) error {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return timeoutError{}
	case errors.Is(err, context.Canceled):
		return canceledError{}
	}
	return err
}

var errMissingAddress = errors.New("missing address")

// networks are the known networks, by the networks that they abbreviate.
var networks = map[string]string{
	"tcp": "tcp", "tcp4": "tcp", "tcp6": "tcp", "udp": "udp", "udp4": "udp", "udp6": "udp",
}

// only returns an error if a network is not of a kind.
func only(network, kind, address string) error {
	switch networks[network] {
	case kind:
		return nil
	case "tcp", "udp":
		return &net.AddrError{Err: "unexpected address type", Addr: address}
	}
	return net.UnknownNetworkError(network)
}
