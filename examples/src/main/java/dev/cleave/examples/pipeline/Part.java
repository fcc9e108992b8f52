package dev.cleave.examples.pipeline;

import java.util.List;

/**
 * A work piece of the stations.
 *
 * @param name of the part
 * @param steps how many stations it has passed
 * @param marks one of each station
 */
public record Part(String name, int steps, List<String> marks) {}
