package dev.cleave.agent.plan;

import java.util.List;
import java.util.Map;

/**
 * A loop that sends ahead (R35).
 *
 * @param slice what runs ahead; its region is the loop
 * @param window the most calls in flight
 * @param skips for the entry of each handler in the loop, the calls that the rest of the pass then leaves out, as
 *     positions in the slice's list of sends
 * @param isChained whether the calls are a chain (R49)
 */
public record LoopPlan(SendSlice slice, int window, Map<Integer, List<Integer>> skips, boolean isChained) {}
