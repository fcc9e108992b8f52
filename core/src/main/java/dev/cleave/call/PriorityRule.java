package dev.cleave.call;

import org.jspecify.annotations.Nullable;

/**
 * How the waiting calls of a method are ordered.
 *
 * @param expression computes the priority of a call from its arguments; null if the application file says that there is
 *     none
 * @param prefersBlocked whether a call on which its caller is blocked goes before calls of greater priority
 */
public record PriorityRule(@Nullable String expression, boolean prefersBlocked) {}
