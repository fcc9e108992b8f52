package dev.cleave.agent.plan.method;

import dev.cleave.agent.ir.Register;

/**
 * A second iterator that the run-ahead needs.
 *
 * @param iterator the register that holds the program's iterator in the loop
 * @param made index of the op that makes the program's iterator
 * @param collection what that op iterates over; the stub, if the elements arrive
 * @param isOfCopy whether it goes over a copy of the collection, as the program removes elements by its own iterator
 * @param arrives whether the op is a remote call that returns the iterator: its elements arrive from another node
 */
public record OwnIterator(Register iterator, int made, Register collection, boolean isOfCopy, boolean arrives) {}
