package dev.cleave.agent.transform;

/**
 * A class loader that asks the agent to leave its classes as they are: it decides itself which of them are rewritten.
 */
public interface ExcludedFromWeaving {}
