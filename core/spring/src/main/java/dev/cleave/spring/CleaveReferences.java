package dev.cleave.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * On a configuration: makes a bean of each remote interface that it names, a stub of the service that has the interface's
 * name with its first letter in lower case. Any other bean then has it injected by its type.
 */
@Documented
@Import(ReferenceBeans.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface CleaveReferences {

    /** The remote interfaces. */
    Class<?>[] value();
}
