// Package store is what the server keeps, and under which names:
//
//   - a stream of units, each of which goes to one worker at a time, and is gone when that
//     has done it: ldfi.unit.BUILD.PLATFORM.JOB.ADDRESS
//   - what is in the files that units name, by digest
//   - results: final.BUILD.ADDRESS.JOB.WORKER, and partial.BUILD.ADDRESS.JOB.WORKER for those
//     that another try could better
//   - failures: JOB.ADDRESS.ANY, one for each try of a unit that came to nothing
//   - jobs: whose coordinators are there, by a name of their own
//   - liars: workers that have said what is not true, by WORKER.JOB
//
// BUILD is a hash of the name of the ldfi that asks, and WORKER one of who has done the unit. A worker takes only what its own ldfi
// can do. All of it expires: nothing has to be cleaned up.
package store
