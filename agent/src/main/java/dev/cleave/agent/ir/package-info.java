/**
 * A method in register form: the operand stack is gone, every value has a name, and ops can be inserted anywhere.
 *
 * <p>{@link dev.cleave.agent.ir.IrBuilder} lifts a method out of bytecode into a {@link
 * dev.cleave.agent.ir.MethodBody}, {@link dev.cleave.agent.ir.IrEmitter} turns one back into stack code. Start reading
 * at {@code MethodBody}. Bodies are confined to the thread that built them.
 */
@NullMarked
package dev.cleave.agent.ir;

import org.jspecify.annotations.NullMarked;
