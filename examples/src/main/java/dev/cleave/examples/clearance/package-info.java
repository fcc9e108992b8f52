/**
 * The measurement of the Distributed Clearance paper: the least distances between tessellated parts of an assembly, by work servers
 * that ask a queue server for jobs, and that keep the parts which they have loaded.
 */
@NullMarked
package dev.cleave.examples.clearance;

import org.jspecify.annotations.NullMarked;
