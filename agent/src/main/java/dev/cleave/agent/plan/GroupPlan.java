package dev.cleave.agent.plan;

/**
 * Calls that are sent together (Groups B and D): behind the send of the first, the slice sends the others.
 *
 * @param leader index of the first call
 * @param slice what sends the others; its region is the code behind the leader
 * @param isChained whether the calls are a chain (R49)
 */
public record GroupPlan(int leader, SendSlice slice, boolean isChained) {}
