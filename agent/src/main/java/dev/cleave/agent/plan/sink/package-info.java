/** Plans where calls are awaited (Group C): as late as the code behind them allows. */
@NullMarked
package dev.cleave.agent.plan.sink;

import org.jspecify.annotations.NullMarked;
