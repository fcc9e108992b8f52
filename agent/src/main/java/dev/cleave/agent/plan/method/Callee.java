package dev.cleave.agent.plan.method;

import org.objectweb.asm.tree.MethodNode;

/**
 * The method that a call calls if its object is of the expected class.
 *
 * @param owner internal name of the class that declares it
 * @param code the method
 * @param exact internal name of the class that the object must be of; of no meaning for a static method
 */
public record Callee(String owner, MethodNode code, String exact) {}
