/**
 * The graph of a method by op, its post-dominators, reaching definitions and regions: facts of one body, without
 * effects and without remote calls.
 */
@NullMarked
package dev.cleave.agent.plan.analysis;

import org.jspecify.annotations.NullMarked;
