/**
 * A method to plan: its remote calls, the methods it calls that make remote calls (helpers), and the data of what
 * runs ahead of them.
 */
@NullMarked
package dev.cleave.agent.plan.method;

import org.jspecify.annotations.NullMarked;
