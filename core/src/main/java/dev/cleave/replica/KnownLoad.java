package dev.cleave.replica;

import dev.cleave.wire.Load;

/**
 * How busy a replica is, as the process knows that places calls there.
 *
 * @param load calls of other processes, as last reported, and calls of this one
 * @param room how many calls the policy would give to it now
 * @param placed how many calls this process ever gave to it; overflows
 */
public record KnownLoad(Load load, int room, int placed) {}
