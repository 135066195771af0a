// The last pass of a small renderer: lights a surface with a sun and a few lamps, its shadow, and fog.

#define MAX_LAMPS 8
#define SHADOW_TAPS 4

cbuffer Frame : register(b0)
{
    row_major float4x4 viewProjection;
    row_major float4x4 shadowProjection;
    float3 eye;
    float time;
    float3 sunDirection;
    float fogDensity;
    float4 fogColor;
    uint lampCount;
};

cbuffer Object : register(b1)
{
    row_major float4x4 world;
    float4 tint;
    float2 tiling;
    float roughness;
    float metallic;
};

struct Lamp
{
    float3 position;
    float range;
    float3 color;
    float angle;
};

StructuredBuffer<Lamp> lamps : register(t0);
Texture2D<float4> albedoMap : register(t1);
Texture2D<float4> normalMap : register(t2);
Texture2D<float> shadowMap : register(t3);
SamplerState linearSampler : register(s0);
SamplerComparisonState shadowSampler : register(s1);

struct Vertex
{
    float4 position : SV_Position;
    float3 place : POSITION1;
    float3 normal : NORMAL;
    float4 tangent : TANGENT;
    float2 uv : TEXCOORD0;
};

struct Surface
{
    float3 albedo;
    float3 normal;
    float3 view;
    float roughness;
    float metallic;
};

static const float2 taps[SHADOW_TAPS] =
{
    float2(-0.94, -0.39), float2(0.94, -0.76), float2(-0.09, -0.92), float2(0.34, 0.29)
};

static const float pi = 3.14159265;

float square(float value)
{
    return value * value;
}

// How far the object is stretched: the largest entry on the diagonal.
float scaleOf(float4x4 transform)
{
    float3 diagonal = abs(transform._m00_m11_m22);
    return max(diagonal.x, max(diagonal.y, diagonal.z));
}

float3 unpackNormal(float2 uv, float3 normal, float4 tangent)
{
    float3 sampled = normalMap.Sample(linearSampler, uv).xyz * 2.0 - 1.0;
    float3 bitangent = cross(normal, tangent.xyz) * tangent.w;
    return normalize(sampled.x * tangent.xyz + sampled.y * bitangent + sampled.z * normal);
}

float distribution(float cosine, float roughness)
{
    float alpha = square(max(roughness, 0.04));
    float bottom = square(cosine) * (square(alpha) - 1.0) + 1.0;
    return square(alpha) / (pi * square(bottom));
}

float visibility(float cosine, float roughness)
{
    float k = square(roughness + 1.0) / 8.0;
    return cosine / (cosine * (1.0 - k) + k);
}

float3 fresnel(float cosine, float3 base)
{
    return base + (1.0 - base) * pow(saturate(1.0 - cosine), 5.0);
}

float3 shade(Surface surface, float3 direction, float3 radiance)
{
    float3 halfway = normalize(direction + surface.view);
    float facing = saturate(dot(surface.normal, direction));
    float seen = max(dot(surface.normal, surface.view), 1e-4);
    float3 base = lerp(float3(0.04, 0.04, 0.04), surface.albedo, surface.metallic);
    float3 reflected = fresnel(saturate(dot(halfway, surface.view)), base);
    float specular = distribution(saturate(dot(surface.normal, halfway)), surface.roughness)
        * visibility(seen, surface.roughness) * visibility(facing, surface.roughness)
        / max(4.0 * seen * facing, 1e-3);
    float3 diffuse = (1.0 - reflected) * (1.0 - surface.metallic) * surface.albedo / pi;
    return (diffuse + specular * reflected) * radiance * facing;
}

float shadowAt(float3 place, float softness)
{
    float4 projected = mul(float4(place, 1.0), shadowProjection);
    float3 coordinates = projected.xyz / projected.w;
    float2 center = coordinates.xy * float2(0.5, -0.5) + 0.5;
    if (any(center < 0.0) || any(center > 1.0))
        return 1.0;
    uint width, height;
    shadowMap.GetDimensions(width, height);
    float2 texel = softness / float2(width, height);
    float lit = 0.0;
    [unroll]
    for (int tap = 0; tap < SHADOW_TAPS; ++tap)
        lit += shadowMap.SampleCmpLevelZero(shadowSampler, center + taps[tap] * texel, coordinates.z - 0.002);
    return lit / SHADOW_TAPS;
}

float3 lampsAt(Surface surface, float3 place)
{
    float3 sum = 0.0;
    for (uint index = 0; index < min(lampCount, MAX_LAMPS); ++index)
    {
        Lamp lamp = lamps[index];
        float3 way = lamp.position - place;
        float distance = length(way);
        if (distance > lamp.range)
            continue;
        float fade = square(saturate(1.0 - square(distance / lamp.range))) / (square(distance) + 1.0);
        sum += shade(surface, way / distance, lamp.color * fade);
    }
    return sum;
}

float3 fog(float3 color, float distance)
{
    float amount = 1.0 - exp(-square(distance * fogDensity));
    return lerp(color, fogColor.rgb, amount);
}

float4 main(Vertex input) : SV_Target0
{
    float2 uv = input.uv * tiling;
    float4 sampled = albedoMap.Sample(linearSampler, uv) * tint;
    clip(sampled.a - 0.5);

    Surface surface;
    surface.albedo = pow(sampled.rgb, 2.2);
    surface.normal = unpackNormal(uv, normalize(input.normal), input.tangent);
    surface.view = normalize(eye - input.place);
    surface.roughness = roughness;
    surface.metallic = metallic;

    float softness = 1.0 + 0.5 * scaleOf(world);
    float3 color = 0.03 * surface.albedo;
    color += shade(surface, -sunDirection, 3.0 * shadowAt(input.place, softness));
    color += lampsAt(surface, input.place);
    color = fog(color, distance(eye, input.place));
    return float4(pow(color / (color + 1.0), 1.0 / 2.2), sampled.a);
}
