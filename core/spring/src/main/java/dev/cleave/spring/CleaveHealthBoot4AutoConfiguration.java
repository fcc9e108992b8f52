package dev.cleave.spring;

import dev.cleave.node.Node;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * The health indicator {@code cleave} for Spring Boot 4, which has the types of health in other packages than 3.5: a class
 * that named both could not be loaded with either.
 */
@AutoConfiguration(after = CleaveAutoConfiguration.class)
@ConditionalOnBean(Node.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("cleave")
public class CleaveHealthBoot4AutoConfiguration {

    @Bean
    HealthIndicator cleaveHealthIndicator(NodeHealth health) {
        return new Indicator(health);
    }

    @Bean
    NodeHealth cleaveHealth(Node node, CleaveServices services) {
        return new NodeHealth(node, services);
    }

    private static final class Indicator extends AbstractHealthIndicator {

        private final NodeHealth health;

        private Indicator(NodeHealth health) {
            this.health = health;
        }

        @Override
        protected void doHealthCheck(Health.Builder builder) {
            (health.isUp() ? builder.up() : builder.down()).withDetails(health.details());
        }
    }
}
