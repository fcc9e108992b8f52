package dev.cleave.agent.plan.placement;

/**
 * A function that fills a map with the results of calls.
 *
 * @param result how the descriptor of the result of the remote method begins
 * @param frame the method and the line of the call, {@code Class.method:line}, if it is a lambda expression; else empty
 */
public record MapFilling(char result, String frame) {}
