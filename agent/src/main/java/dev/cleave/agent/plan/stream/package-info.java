/** Plans streams whose functions call (R64, R69): a copy of their stages runs ahead. */
@NullMarked
package dev.cleave.agent.plan.stream;

import org.jspecify.annotations.NullMarked;
